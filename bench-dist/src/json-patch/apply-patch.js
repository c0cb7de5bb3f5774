import jsonpatch from 'fast-json-patch';
import { conflict, tooLarge } from '../errors/refusals.js';
import { badOperation } from './operation.js';
/** Largest document in characters; copies can double it with every operation. */
const MAX_DOCUMENT = 256 * 1024;
/** RFC 6901 section 4: no leading zeros. */
const ARRAY_INDEX = /^(0|[1-9]\d{0,8})$/;
/**
 * Applies a patch to a copy of a document (RFC 6902): all operations or none. Every location is
 * checked before the library sees the operation, because it counts inherited members as existing.
 * @throws Refusal 409 for a failed test, 400 naming the operation for anything else
 */
export function applyPatch(document, operations) {
    let result = structuredClone(document);
    for (const operation of operations) {
        checkLocations(result, operation);
        result = applyOne(result, operation);
        if (operation.op === 'copy' && JSON.stringify(result).length > MAX_DOCUMENT)
            throw tooLarge(`${MAX_DOCUMENT / 1024} KiB after the patch`);
    }
    return result;
}
function applyOne(document, operation) {
    const { op, path, from, value } = operation;
    try {
        return jsonpatch.applyOperation(document, at({ op, path, from, value }), false, true, false)
            .newDocument;
    }
    catch (error) {
        if (error instanceof jsonpatch.JsonPatchError && error.name === 'TEST_OPERATION_FAILED')
            throw conflict(`operation ${operation.index} (test): the value at '${path}' is another`);
        throw badOperation(operation, 'cannot be applied');
    }
}
const at = (operation) => structuredClone(operation);
function checkLocations(document, operation) {
    const { op, tokens, fromTokens } = operation;
    if (fromTokens) {
        if (!exists(document, fromTokens))
            throw badOperation(operation, `from does not exist: '${operation.from}'`);
        const isBelow = tokens.length > fromTokens.length && fromTokens.every((token, i) => token === tokens[i]);
        if (op === 'move' && isBelow)
            throw badOperation(operation, 'a location cannot be moved into itself');
        if (op === 'move' && fromTokens.length === 0)
            throw badOperation(operation, 'the whole document cannot be moved');
    }
    if (op === 'remove' && tokens.length === 0)
        throw badOperation(operation, 'the whole document cannot be removed');
    const isThere = op === 'add' || op === 'copy' || op === 'move'
        ? canAdd(withoutMoved(document, operation), tokens)
        : exists(document, tokens);
    if (!isThere)
        throw badOperation(operation, 'the path does not exist');
}
/** A move is a removal and an addition (RFC 6902 section 4.4): indexes count after the removal. */
function withoutMoved(document, { op, fromTokens }) {
    if (op !== 'move' || !fromTokens)
        return document;
    const copy = structuredClone(document);
    const parent = walk(copy, fromTokens.slice(0, -1));
    const last = fromTokens.at(-1);
    if (Array.isArray(parent))
        parent.splice(Number(last), 1);
    else
        delete parent[last];
    return copy;
}
const MISSING = Symbol('missing');
/** The value at a location; only own members and indexes within an array count. */
function walk(document, tokens) {
    let value = document;
    for (const token of tokens) {
        if (Array.isArray(value)) {
            if (!ARRAY_INDEX.test(token) || Number(token) >= value.length)
                return MISSING;
            value = value[Number(token)];
        }
        else if (typeof value === 'object' && value !== null && Object.hasOwn(value, token))
            value = value[token];
        else
            return MISSING;
    }
    return value;
}
const exists = (document, tokens) => walk(document, tokens) !== MISSING;
function canAdd(document, tokens) {
    if (tokens.length === 0)
        return true;
    const parent = walk(document, tokens.slice(0, -1));
    const last = tokens.at(-1);
    if (Array.isArray(parent))
        return last === '-' || (ARRAY_INDEX.test(last) && Number(last) <= parent.length);
    return typeof parent === 'object' && parent !== null;
}
//# sourceMappingURL=apply-patch.js.map