"""Runs the reference service named first on a clock that a test sets: a line with seconds on the standard input, "ok" back.

Only what asks for the time of day is led astray: the framework's throttle and its cache.
"""
import runpy
import sys
import threading
import time


class Clock:
    now = float(sys.argv[2])

    def __call__(self):
        return Clock.now


def listen():
    for line in sys.stdin:
        Clock.now = float(line)
        print("ok", flush=True)


time.time = Clock()
threading.Thread(target=listen, daemon=True).start()
script, sys.argv = sys.argv[1], [sys.argv[1], *sys.argv[3:]]
runpy.run_path(script, run_name="__main__")
