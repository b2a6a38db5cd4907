from characters.models.characters import Character, CharacterQuerySet, State, owners_of

__all__ = ["Character", "CharacterQuerySet", "State", "owners_of"]
