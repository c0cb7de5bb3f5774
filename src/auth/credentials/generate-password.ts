import { randomInt } from 'node:crypto';

/** Without characters that look alike, because a person types the password once. */
const ALPHABETS = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '-+=@%'];
const GENERATED_LENGTH = 20;

/** Generates a password to print once. It has a character of every class, so that it meets every rule. */
export function generatePassword(): string {
  const all = ALPHABETS.join('');
  const characters = Array.from({ length: GENERATED_LENGTH }, (_, index) => {
    const alphabet = ALPHABETS[index] ?? all;
    return alphabet[randomInt(alphabet.length)]!;
  });
  for (let index = characters.length - 1; index > 0; index--) {
    const other = randomInt(index + 1);
    [characters[index], characters[other]] = [characters[other]!, characters[index]!];
  }
  return characters.join('');
}
