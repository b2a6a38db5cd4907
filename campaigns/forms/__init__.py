from campaigns.forms.text import LineField, TextField, clean_text

__all__ = ["LineField", "TextField", "clean_text"]
