import { randomInt } from 'node:crypto';
/** Without characters that look alike, since somebody types it once. */
const ALPHABETS = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '-+=@%'];
const GENERATED_LENGTH = 20;
/** A password to be printed once: one character of every class first, so that every rule is met. */
export function generatePassword() {
    const all = ALPHABETS.join('');
    const characters = Array.from({ length: GENERATED_LENGTH }, (_, index) => {
        const alphabet = ALPHABETS[index] ?? all;
        return alphabet[randomInt(alphabet.length)];
    });
    for (let index = characters.length - 1; index > 0; index--) {
        const other = randomInt(index + 1);
        [characters[index], characters[other]] = [characters[other], characters[index]];
    }
    return characters.join('');
}
//# sourceMappingURL=generate-password.js.map