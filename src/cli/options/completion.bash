# shellcheck shell=bash disable=SC2034
# bash completion for sdca.
#
# The table _sdca_expects has the candidates of each word; the program prints its entries
# (completion.c). The key is [SUBCOMMAND.WHAT], where WHAT is an option, the number of an
# operand, 'more' for operands beyond the last number, or 'options' for all options. An
# entry has words, @ for any file, @.h5 for files with this suffix, or + for a free value;
# the entry of a flag is empty.
unset -v _sdca_expects
declare -gA _sdca_expects

# _sdca_offer CURRENT WORD... - add the candidates that start with CURRENT to COMPREPLY.
_sdca_offer()
{
    local current=$1 word found
    shift
    for word in "$@"; do
        case $word in
        +) ;;
        @*)
            compopt -o filenames 2>/dev/null
            mapfile -t found < <(
                compgen -f -X "!*${word#@}" -- "$current"
                compgen -d -- "$current"
            )
            COMPREPLY+=("${found[@]}")
            ;;
        "$current"*) COMPREPLY+=("$word") ;;
        esac
    done
}

# bash splits --name=VALUE into three words.
_sdca()
{
    local current=${COMP_WORDS[COMP_CWORD]} subcommand='' option='' operand=1 word entry
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [ "$word" = = ]; then
            continue
        elif [ -n "$option" ]; then
            option=
        elif [[ $word == -* ]]; then
            [ -z "${_sdca_expects[$subcommand.$word]-}" ] || option=$word
        elif [ -z "$subcommand" ]; then
            subcommand=$word
        else
            operand=$((operand + 1))
        fi
    done
    entry=$operand
    if [ -n "$option" ]; then
        entry=$option
        [ "$current" != = ] || current=
    elif [[ $current == -* ]]; then
        entry=options
    fi
    COMPREPLY=()
    read -ra words <<<"${_sdca_expects[$subcommand.$entry]-${_sdca_expects[$subcommand.more]-}}"
    _sdca_offer "$current" "${words[@]}"
}

complete -F _sdca sdca
