"""Errors in configured names and sites."""


class InvalidAliases(ValueError):
    """Configured names are ambiguous or not searchable; the message names the entities."""


class AliasConflict(InvalidAliases):
    """Two entities claim the same name, so every match would belong to both."""

    def __init__(self, name: str, first: str, second: str):
        super().__init__(f'The name "{name}" belongs to two entities: {first} and {second}.')
        self.name = name
        self.entities = (first, second)


class EmptyAlias(InvalidAliases):
    """A name contains no searchable letter, digit or sign."""

    def __init__(self, name: str, entity: str):
        super().__init__(f'The name "{name}" of {entity} holds nothing that can be searched for.')
        self.name = name
        self.entity = entity
