# Completions of particles for bash. Generated from the list of commands.

_particles_reply() {
  local proposal
  while IFS= read -r proposal; do
    COMPREPLY+=("$proposal")
  done < <(compgen "$@" -- "$current")
}

_particles_lookup() {
  local proposal
  while IFS= read -r proposal; do
    [[ $proposal == "$current"* ]] && COMPREPLY+=("$proposal")
  done < <("${COMP_WORDS[0]}" help --candidates "$1" -- "${COMP_WORDS[@]:index+1}" 2> /dev/null)
}

_particles() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
  local command="" index
  COMPREPLY=()
  # Bash splits --name=value into three words.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" ]]; then
    previous="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "${COMP_WORDS[index]}" in
      --color)
        ((index++))
        [[ ${COMP_WORDS[index]} == "=" ]] && ((index++))
        ;;
      -*) ;;
      *)
        command+="${command:+ }${COMP_WORDS[index]}"
        case "$command" in
          "shelf") ;;
          *) break ;;
        esac
        ;;
    esac
  done
  case "$command" in
    "")
      case "$previous" in
        --color)
          _particles_reply -W 'auto always never'
          ;;
        *)
          if [[ $current == -* ]]; then
            _particles_reply -W '--version --quiet --verbose --color --no-color --help'
          else
            _particles_reply -W 'mix fail emit shelf help'
          fi
          ;;
      esac
      ;;
    "mix")
      case "$previous" in
        -o|--output)
          _particles_reply -f
          ;;
        --from)
          _particles_reply -W 'pex plist json'
          ;;
        -t|--tag)
          ;;
        --seed)
          ;;
        --images)
          _particles_reply -d
          ;;
        --color)
          _particles_reply -W 'auto always never'
          ;;
        *)
          if [[ $current == -* ]]; then
            _particles_reply -W '--output --force --json --dry-run --from --tag --seed --images --quiet --verbose --color --no-color --help'
          else
            _particles_reply -f
          fi
          ;;
      esac
      ;;
    "fail")
      case "$previous" in
        --color)
          _particles_reply -W 'auto always never'
          ;;
        *)
          if [[ $current == -* ]]; then
            _particles_reply -W '--json --quiet --verbose --color --no-color --help'
          fi
          ;;
      esac
      ;;
    "emit")
      case "$previous" in
        --color)
          _particles_reply -W 'auto always never'
          ;;
        *)
          if [[ $current == -* ]]; then
            _particles_reply -W '--quiet --verbose --color --no-color --help'
          else
            _particles_reply -W 'text binary escape json finding line'
          fi
          ;;
      esac
      ;;
    "shelf")
      case "$previous" in
        --color)
          _particles_reply -W 'auto always never'
          ;;
        *)
          if [[ $current == -* ]]; then
            _particles_reply -W '--quiet --verbose --color --no-color --help'
          else
            _particles_reply -W 'put emit'
          fi
          ;;
      esac
      ;;
    "shelf put")
      case "$previous" in
        --color)
          _particles_reply -W 'auto always never'
          ;;
        *)
          if [[ $current == -* ]]; then
            _particles_reply -W '--force --quiet --verbose --color --no-color --help'
          else
            _particles_reply -f
          fi
          ;;
      esac
      ;;
    "shelf emit")
      case "$previous" in
        --seed)
          ;;
        --color)
          _particles_reply -W 'auto always never'
          ;;
        *)
          if [[ $current == -* ]]; then
            _particles_reply -W '--seed --quiet --verbose --color --no-color --help'
          fi
          ;;
      esac
      ;;
    "help")
      case "$previous" in
        mix)
          ;;
        fail)
          ;;
        emit)
          ;;
        shelf)
          _particles_reply -W 'put emit'
          ;;
        --completions)
          _particles_reply -W 'bash zsh fish'
          ;;
        --candidates)
          _particles_reply -W 'commands templates keys entries rules recovery formats targets'
          ;;
        --color)
          _particles_reply -W 'auto always never'
          ;;
        *)
          if [[ $current == -* ]]; then
            _particles_reply -W '--manual --completions --markdown --candidates --quiet --verbose --color --no-color --help'
          else
            _particles_reply -W 'mix fail emit shelf help'
          fi
          ;;
      esac
      ;;
  esac
}

complete -o filenames -F _particles particles
