"""Every capability of the service, one async function each; signature and docstring are the contract."""
