// The words of scripts, in English: what Django's catalogue defines on a page (languages/scripts.py).
globalThis.gettext = (message) => message;
globalThis.ngettext = (singular, plural, count) => (count === 1 ? singular : plural);
globalThis.pgettext = (_context, message) => message;
globalThis.npgettext = (_context, singular, plural, count) => ngettext(singular, plural, count);
globalThis.interpolate = (message, values) => message.replace(/%\((\w+)\)s/g, (_match, name) => values[name]);
