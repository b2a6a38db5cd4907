"""What stands for an address in the ids of a page: "traits/4f2a/dice" is "traits-4f2a-dice", fit for selectors."""


def slot(address: str) -> str:
    # Names have underscores and row ids neither, so that no two addresses come to the same.
    return address.replace("/", "-")
