import { faultsOf } from '../negotiation/validate-body.js';
/** Read-only attributes that name the row itself: in a PUT they must match. */
const IDENTITY = ['id', 'uri'];
const isBlank = (value) => value === null || value === undefined;
/**
 * Reads a body of POST or PUT (decisions: Representation): null and omitted are blank, unknown
 * attributes are refused, of the read-only ones only id and uri must match.
 * @param before the representation that is replaced; undefined when one is created
 */
export function readDraft(resource, rules, body, before) {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
        return { values: {}, bad: [{ name: 'body', message: 'must be a JSON object' }] };
    const given = body;
    const shape = shapeOf(resource, rules);
    const { writable } = shape;
    const bad = [...unknownOf(resource, writable, given), ...identityFaults(given, before)];
    const values = {};
    for (const [name, attribute] of writable) {
        const value = Object.hasOwn(given, name) ? given[name] : undefined;
        if (!isBlank(value))
            values[name] = value;
        else if (!before)
            values[name] = attribute.options.default ?? null;
        else if (!attribute.options.keptWhenBlank)
            values[name] = attribute.options.default ?? null;
    }
    bad.push(...faultsOfValues(shape, values));
    return { values, bad };
}
/** Made once a resource: the library keeps what it is told of a class for ever. */
const shapes = new WeakMap();
function shapeOf(resource, { secret = {} }) {
    let shape = shapes.get(resource);
    if (!shape) {
        const shown = [...resource.attributes].filter(([, attribute]) => attribute.writable);
        const writable = new Map([...shown, ...Object.entries(secret)]);
        const checker = class {
        };
        for (const [name, attribute] of writable)
            for (const rule of attribute.rules())
                rule(checker.prototype, name);
        shape = { writable, checker };
        shapes.set(resource, shape);
    }
    return shape;
}
function unknownOf(resource, writable, given) {
    return Object.keys(given)
        .filter((name) => !resource.attributes.has(name) && !writable.has(name))
        .map((name) => ({
        name,
        message: `unknown attribute; known: ${[...writable.keys()].join(', ')}`,
    }));
}
function identityFaults(given, before) {
    return IDENTITY.filter((name) => {
        const value = Object.hasOwn(given, name) ? given[name] : undefined;
        return !isBlank(value) && value !== before?.[name];
    }).map((name) => ({
        name,
        message: before ? `must be ${String(before[name])}, or left out` : 'is made by the server',
    }));
}
/** Required attributes that are blank, and what the rules say against the others. */
function faultsOfValues({ writable, checker }, values) {
    const missing = [...writable].filter(([name, { options }]) => options.required && name in values && (isBlank(values[name]) || values[name] === ''));
    return [
        ...missing.map(([name]) => ({ name, message: `${name} is required` })),
        ...faultsOf(Object.assign(new checker(), values), { skipMissingProperties: true }),
    ];
}
//# sourceMappingURL=read-draft.js.map