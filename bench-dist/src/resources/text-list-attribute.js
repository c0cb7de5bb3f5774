import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { InvalidValue } from '../listing/attribute.js';
import { Attribute } from './attribute.js';
/** Most texts of a list, and their greatest length in characters. */
const MAX_TEXTS = 50;
const MAX_LENGTH = 400;
/** A list of texts; neither sorted nor filtered. */
export class TextListAttribute extends Attribute {
    type = 'object';
    present(row, at) {
        return row[at] ?? [];
    }
    display(row, at) {
        return this.present(row, at);
    }
    parseFilter() {
        throw new InvalidValue('cannot be filtered by');
    }
    condition() {
        throw new Error(`${this.name} cannot be filtered by`);
    }
    rules() {
        const each = { each: true };
        return [IsArray(), ArrayMaxSize(MAX_TEXTS), IsString(each), MaxLength(MAX_LENGTH, each)];
    }
    schema() {
        return { type: 'array', items: { type: 'string', maxLength: MAX_LENGTH } };
    }
}
export const textList = (options = {}) => new TextListAttribute({ default: [], ...options });
//# sourceMappingURL=text-list-attribute.js.map