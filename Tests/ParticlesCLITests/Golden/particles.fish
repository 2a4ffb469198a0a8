# Completions of particles for fish. Generated from the list of commands.

complete -c particles -f
complete -c particles -s q -l quiet -d 'Print errors only.'
complete -c particles -s v -l verbose -d 'Print notes and each step.'
complete -c particles -l color -r -f -a 'auto always never' -d 'Colour severities.'
complete -c particles -l no-color -d 'The same as --color never.'
complete -c particles -s h -l help -d 'Show help and exit.'
complete -c particles -n '__fish_use_subcommand' -l version -d 'Show the version and exit.'
complete -c particles -n __fish_use_subcommand -a 'mix' -d 'Mix several effects into one.'
complete -c particles -n __fish_use_subcommand -a 'fail' -d 'End as told.'
complete -c particles -n __fish_use_subcommand -a 'emit' -d 'Write something.'
complete -c particles -n __fish_use_subcommand -a 'shelf' -d 'Keep things.'
complete -c particles -n __fish_use_subcommand -a 'help' -d 'Show help for the tool or for a command.'

complete -c particles -n '__fish_seen_subcommand_from mix; and not __fish_seen_subcommand_from help' -s o -l output -r -F -d 'Write the result to this path; - for standard output.'
complete -c particles -n '__fish_seen_subcommand_from mix; and not __fish_seen_subcommand_from help' -s f -l force -d 'Replace existing files.'
complete -c particles -n '__fish_seen_subcommand_from mix; and not __fish_seen_subcommand_from help' -l json -d 'Print one JSON document instead of text.'
complete -c particles -n '__fish_seen_subcommand_from mix; and not __fish_seen_subcommand_from help' -s n -l dry-run -d 'Report what would be written, and write nothing.'
complete -c particles -n '__fish_seen_subcommand_from mix; and not __fish_seen_subcommand_from help' -l from -r -f -a 'pex plist json' -d 'What the input is.'
complete -c particles -n '__fish_seen_subcommand_from mix; and not __fish_seen_subcommand_from help' -s t -l tag -r -f -d 'Keep what bears this tag.'
complete -c particles -n '__fish_seen_subcommand_from mix; and not __fish_seen_subcommand_from help' -l seed -r -f -d 'Where randomness begins.'
complete -c particles -n '__fish_seen_subcommand_from mix; and not __fish_seen_subcommand_from help' -l images -r -f -a '(__fish_complete_directories)' -d 'Look here for [other] images: it\'s one folder.'
complete -c particles -n '__fish_seen_subcommand_from mix; and not __fish_seen_subcommand_from help' -F

complete -c particles -n '__fish_seen_subcommand_from fail; and not __fish_seen_subcommand_from help' -l json -d 'Print one JSON document instead of text.'

complete -c particles -n '__fish_seen_subcommand_from emit; and not __fish_seen_subcommand_from shelf; and not __fish_seen_subcommand_from help' -f -a 'text binary escape json finding line'

complete -c particles -n '__fish_seen_subcommand_from shelf; and not __fish_seen_subcommand_from put emit' -a 'put' -d 'Put a thing there.'
complete -c particles -n '__fish_seen_subcommand_from shelf; and not __fish_seen_subcommand_from put emit' -a 'emit' -d 'Show what is there.'

complete -c particles -n '__fish_seen_subcommand_from shelf; and __fish_seen_subcommand_from put; and not __fish_seen_subcommand_from help' -s f -l force -d 'Replace existing files.'
complete -c particles -n '__fish_seen_subcommand_from shelf; and __fish_seen_subcommand_from put; and not __fish_seen_subcommand_from help' -F

complete -c particles -n '__fish_seen_subcommand_from shelf; and __fish_seen_subcommand_from emit; and not __fish_seen_subcommand_from help' -l seed -r -f -d 'Where randomness begins.'

complete -c particles -n '__fish_seen_subcommand_from help' -l manual -d 'Print the man page of the tool or of a command.'
complete -c particles -n '__fish_seen_subcommand_from help' -l completions -r -f -a 'bash zsh fish' -d 'Print the completions for a shell.'
complete -c particles -n '__fish_seen_subcommand_from help' -l markdown -d 'Print the reference of all commands.'
complete -c particles -n '__fish_seen_subcommand_from help' -l candidates -r -f -a 'commands templates keys entries rules recovery formats targets' -d 'Print the words that completions propose; for entries, of the package in the arguments.'
complete -c particles -n '__fish_seen_subcommand_from help; and not __fish_seen_subcommand_from mix fail emit shelf' -f -a 'mix fail emit shelf help'
