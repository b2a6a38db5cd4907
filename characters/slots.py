"""What stands for an address in the ids of a page: "descriptors/4f2a/dice" is "descriptors-4f2a-dice", fit for selectors."""


def slot(address: str) -> str:
    # Names have underscores and row ids neither, so that no two addresses come to the same.
    return address.replace("/", "-")
