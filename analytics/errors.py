"""What can be wrong with the names and sites that a person configured."""


class InvalidAliases(ValueError):
    """The configured names cannot be told apart or cannot be searched for; the message names the entities."""


class AliasConflict(InvalidAliases):
    """Two entities claim one name: every hit of it would belong to both."""

    def __init__(self, name: str, first: str, second: str):
        super().__init__(f'The name "{name}" belongs to two entities: {first} and {second}.')
        self.name = name
        self.entities = (first, second)


class EmptyAlias(InvalidAliases):
    """A name holds no letter, digit or sign that could be searched for."""

    def __init__(self, name: str, entity: str):
        super().__init__(f'The name "{name}" of {entity} holds nothing that can be searched for.')
        self.name = name
        self.entity = entity
