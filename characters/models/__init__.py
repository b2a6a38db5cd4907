from characters.models.characters import Character, CharacterQuerySet, State, owners_of
from characters.models.portraits import Portrait

__all__ = ["Character", "CharacterQuerySet", "Portrait", "State", "owners_of"]
