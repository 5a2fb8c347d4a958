"""A child for the tests: answers what it is told, prints, waits or dies."""

import os
import sys
import time

from kagiya.runtime.child import Parent


def main() -> None:
    parent = Parent()
    parent.answer(words=sys.argv[1:])
    for question in parent.questions():
        if question == "die":
            sys.stderr.write("oh no\n")
            sys.stderr.flush()
            os._exit(3)
        if question == "print":
            sys.stdout.write("not an answer\n")
        if question == "read":
            sys.stdin.read()
        if question == "wait":
            time.sleep(3600)
        parent.answer(question=question)


if __name__ == "__main__":
    main()
