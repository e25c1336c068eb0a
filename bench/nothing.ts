// What a start is compared with: a program that does nothing, by the same way through the shell and Node.
export {}
