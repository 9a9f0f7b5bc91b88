# SPDX-License-Identifier: MIT
# Completion for bash, of tabia, tabia-shogi and both with -mpi and -lab. Commands and options come from the program itself: tabia COMMAND --list-options.

# The words that name the command come first, as `data stats`; the list that follows them is of options, or of further names.
_tabia() {
    local cur=${COMP_WORDS[COMP_CWORD]} command=() at=1 list
    list=$("$1" --list-options 2>/dev/null </dev/null) || return
    while ((at < COMP_CWORD)) && [[ $'\n'$list$'\n' == *$'\n'"${COMP_WORDS[at]}"$'\n'* && ${COMP_WORDS[at]} != -* ]]; do
        [[ ${COMP_WORDS[at]} == help ]] || command+=("${COMP_WORDS[at]}")
        list=$("$1" "${command[@]}" --list-options 2>/dev/null </dev/null) || return
        ((at += 1))
    done
    COMPREPLY=()
    if [[ $cur == -* ]] || { ((at == COMP_CWORD)) && [[ $list != -* ]]; }; then
        mapfile -t COMPREPLY < <(compgen -W "$list" -- "$cur")
    fi
}
complete -o bashdefault -o default -F _tabia tabia tabia-lab tabia-mpi tabia-shogi tabia-shogi-lab tabia-shogi-mpi
