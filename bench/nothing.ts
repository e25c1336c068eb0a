// Baseline of starts: a program that does nothing, by the same way through the shell and Node.
export {}
