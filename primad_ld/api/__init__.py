"""What Python users hold and call: `primad_ld.Archive`, and a function for each question.

Plain texts, paths and keywords come in, called as the options of the command line are; answers go
out, as rooms have them. `primad_ld/__init__.pyi` says under which names.
"""
