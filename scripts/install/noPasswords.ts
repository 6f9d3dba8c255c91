// Takes the place of argon2 in an installed server that has it without built binaries: it would need a compiler, and no test
// gives the server a password.
const noPassword = (): Promise<never> => Promise.reject(new Error('This server knows no passwords.'));

export { noPassword as hash, noPassword as verify };
