"""The work behind the tools that takes time: measuring now; runs, monitors and credits on the same footing."""
