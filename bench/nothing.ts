// Baseline of starts: a program that does nothing, started through the same shell script and Node.
export {}
