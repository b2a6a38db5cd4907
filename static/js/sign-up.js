// A new account begins with the time zone of its browser; the server takes what it knows (people/forms.py).
document.querySelector("[name=time_zone]").value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
