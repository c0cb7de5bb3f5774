import { getMetadataStorage, ValidateBy, validateSync, } from 'class-validator';
import { invalid } from '../errors/refusals.js';
/** Most that is said of one field. */
const MAX_MESSAGES = 3;
/**
 * Checks a body against a class with the decorators of class-validator. Null is blank (interface:
 * General conventions), so it counts as missing; unknown attributes are refused by comparing own
 * keys, because the library's own check lets `constructor` and the like through.
 * @throws Refusal 400 with one entry a bad field
 */
export function validateBody(type, body) {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw invalid([{ name: 'body', message: 'must be a JSON object' }]);
    const known = knownAttributes(type);
    const bad = Object.keys(body)
        .filter((name) => !known.has(name))
        .map((name) => ({ name, message: `unknown attribute; known: ${[...known].join(', ')}` }));
    const instance = new type();
    for (const name of known)
        if (Object.hasOwn(body, name))
            Object.assign(instance, { [name]: body[name] });
    bad.push(...faultsOf(instance));
    if (bad.length > 0)
        throw invalid(bad);
    return instance;
}
/** What the decorators of an instance's class say against it, one entry a field. */
export function faultsOf(instance, options = {}) {
    const errors = validateSync(instance, { forbidUnknownValues: false, ...options });
    return errors.map(({ property, constraints = {} }) => ({
        name: property,
        message: Object.values(constraints).slice(0, MAX_MESSAGES).join('; '),
    }));
}
function knownAttributes(type) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    return new Set(rules.map(({ propertyName }) => propertyName));
}
/** A decorator of class-validator for a function that says what is wrong with a value. */
export function satisfies(fault) {
    return ValidateBy({
        name: `satisfies${++satisfied}`,
        validator: {
            validate: (value) => fault(value) === undefined,
            defaultMessage: (validation) => `$property ${fault(validation?.value) ?? 'is not valid'}`,
        },
    });
}
/** Two rules of one name on one field would overwrite each other's message. */
let satisfied = 0;
//# sourceMappingURL=validate-body.js.map