#compdef particles
# Completions of particles for zsh. Generated from the list of commands.

_particles() {
  local context curcontext="$curcontext" state state_descr line
  typeset -A opt_args
  _arguments -C -s -S \
    '--version[Show the version and exit.]' \
    '(-q --quiet)'{-q,--quiet}'[Print errors only.]' \
    '(-v --verbose)'{-v,--verbose}'[Print notes and each step.]' \
    '--color=[Colour severities.]:when:(auto always never)' \
    '--no-color[The same as --color never.]' \
    '(-h --help)'{-h,--help}'[Show help and exit.]' \
    '(-): :->command' \
    '(-)*:: :->command-argument'
  case $state in
    command)
      local -a commands
      commands=(
        'mix:Mix several effects into one.'
        'fail:End as told.'
        'emit:Write something.'
        'shelf:Keep things.'
        'help:Show help for the tool or for a command.'
      )
      _describe command commands
      ;;
    command-argument)
      case $words[1] in
        mix)
          _arguments -C -s -S \
            '(-o --output)'{-o+,--output=}'[Write the result to this path; - for standard output.]:path:_files' \
            '(-f --force)'{-f,--force}'[Replace existing files.]' \
            '--json[Print one JSON document instead of text.]' \
            '(-n --dry-run)'{-n,--dry-run}'[Report what would be written, and write nothing.]' \
            '--from=[What the input is.]:format:(pex plist json)' \
            '*'{-t+,--tag=}'[Keep what bears this tag.]:word: ' \
            '--seed=[Where randomness begins.]:number: ' \
            '--images=[Look here for \[other\] images\: it'\''s one folder.]:folder:_files -/' \
            '(-q --quiet)'{-q,--quiet}'[Print errors only.]' \
            '(-v --verbose)'{-v,--verbose}'[Print notes and each step.]' \
            '--color=[Colour severities.]:when:(auto always never)' \
            '--no-color[The same as --color never.]' \
            '(-h --help)'{-h,--help}'[Show help and exit.]' \
            '*:input:_files'
          ;;
        fail)
          _arguments -C -s -S \
            '--json[Print one JSON document instead of text.]' \
            '(-q --quiet)'{-q,--quiet}'[Print errors only.]' \
            '(-v --verbose)'{-v,--verbose}'[Print notes and each step.]' \
            '--color=[Colour severities.]:when:(auto always never)' \
            '--no-color[The same as --color never.]' \
            '(-h --help)'{-h,--help}'[Show help and exit.]' \
            '*:way: '
          ;;
        emit)
          _arguments -C -s -S \
            '(-q --quiet)'{-q,--quiet}'[Print errors only.]' \
            '(-v --verbose)'{-v,--verbose}'[Print notes and each step.]' \
            '--color=[Colour severities.]:when:(auto always never)' \
            '--no-color[The same as --color never.]' \
            '(-h --help)'{-h,--help}'[Show help and exit.]' \
            '::what:(text binary escape json finding line)'
          ;;
        shelf)
          _arguments -C -s -S \
            '(-q --quiet)'{-q,--quiet}'[Print errors only.]' \
            '(-v --verbose)'{-v,--verbose}'[Print notes and each step.]' \
            '--color=[Colour severities.]:when:(auto always never)' \
            '--no-color[The same as --color never.]' \
            '(-h --help)'{-h,--help}'[Show help and exit.]' \
            '(-): :->subcommand' \
            '(-)*:: :->subcommand-argument'
          case $state in
            subcommand)
              local -a commands
              commands=(
                'put:Put a thing there.'
                'emit:Show what is there.'
              )
              _describe subcommand commands
              ;;
            subcommand-argument)
              case $words[1] in
                put)
                  _arguments -C -s -S \
                    '(-f --force)'{-f,--force}'[Replace existing files.]' \
                    '(-q --quiet)'{-q,--quiet}'[Print errors only.]' \
                    '(-v --verbose)'{-v,--verbose}'[Print notes and each step.]' \
                    '--color=[Colour severities.]:when:(auto always never)' \
                    '--no-color[The same as --color never.]' \
                    '(-h --help)'{-h,--help}'[Show help and exit.]' \
                    ':thing:_files'
                  ;;
                emit)
                  _arguments -C -s -S \
                    '--seed=[Where randomness begins.]:number: ' \
                    '(-q --quiet)'{-q,--quiet}'[Print errors only.]' \
                    '(-v --verbose)'{-v,--verbose}'[Print notes and each step.]' \
                    '--color=[Colour severities.]:when:(auto always never)' \
                    '--no-color[The same as --color never.]' \
                    '(-h --help)'{-h,--help}'[Show help and exit.]'
                  ;;
              esac
              ;;
          esac
          ;;
        help)
          _arguments -C -s -S \
            '--manual[Print the man page of the tool or of a command.]' \
            '--completions=[Print the completions for a shell.]:shell:(bash zsh fish)' \
            '--markdown[Print the reference of all commands.]' \
            '--candidates=[Print the words that completions propose; for entries, of the package in the arguments.]:kind:(commands templates keys entries rules recovery formats targets)' \
            '(-q --quiet)'{-q,--quiet}'[Print errors only.]' \
            '(-v --verbose)'{-v,--verbose}'[Print notes and each step.]' \
            '--color=[Colour severities.]:when:(auto always never)' \
            '--no-color[The same as --color never.]' \
            '(-h --help)'{-h,--help}'[Show help and exit.]' \
            '*:command:{if (( CURRENT == 2 )) { compadd mix fail emit shelf help } else { case $words[CURRENT-1] in (shelf) compadd put emit;; esac }}'
          ;;
      esac
      ;;
  esac
}

_particles "$@"
