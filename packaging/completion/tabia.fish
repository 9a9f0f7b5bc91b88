# SPDX-License-Identifier: MIT
# Completion for fish, of tabia, tabia-shogi and both with -mpi and -lab. Commands and options come from the program itself: tabia COMMAND --list-options.

function __tabia_words
    set -l words (commandline -opc)
    set -l program $words[1]
    set -l command
    set -l list ($program --list-options 2>/dev/null </dev/null)
    for word in $words[2..-1]
        contains -- $word $list; and not string match -q -- '-*' $word; or break
        test $word = help; or set -a command $word
        set list ($program $command --list-options 2>/dev/null </dev/null)
    end
    printf '%s\n' $list
end
complete -c tabia -a '(__tabia_words)'
complete -c tabia-lab -a '(__tabia_words)'
complete -c tabia-mpi -a '(__tabia_words)'
complete -c tabia-shogi -a '(__tabia_words)'
complete -c tabia-shogi-lab -a '(__tabia_words)'
complete -c tabia-shogi-mpi -a '(__tabia_words)'
