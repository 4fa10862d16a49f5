#!/bin/sh
# What ssh and ssh-add run to ask for something (SSH_ASKPASS): $1 is the question, the answer goes to standard output.
case $1 in
  # The key of a host is unknown. Only the one that a person has compared is good, others are shown to them.
  *"fingerprint is"*"$HTTP_AE_HOST_KEY"*'(yes/no'*) printf 'yes\n' ;;
  *'(yes/no'*)
    printf '%s\n' "$1" >&2
    printf 'no\n'
    ;;
  # The password, or the passphrase of the key. A pipe has it, once, alone in its folder.
  *)
    if [ ! -p "$HTTP_AE_ANSWER" ]; then
      printf 'no answer to: %s\n' "$1" >&2
      exit 1
    fi
    IFS= read -r answer <"$HTTP_AE_ANSWER"
    rm -f -- "$HTTP_AE_ANSWER"
    rmdir -- "${HTTP_AE_ANSWER%/*}"
    printf '%s\n' "$answer"
    ;;
esac
