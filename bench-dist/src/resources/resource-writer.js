var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { findReferrers } from '../database/referrers.js';
import { conflict, forbidden, invalid, notFound, stale } from '../errors/refusals.js';
import { applyPatch } from '../json-patch/apply-patch.js';
import { badOperation, parsePatch } from '../json-patch/operation.js';
import { Bindings } from '../listing/attribute.js';
import { LISTED } from '../listing/list-query.js';
import { AuditService } from '../security/audit.service.js';
import { differences } from './differences.js';
import { etagOf } from './etag.js';
import { checkReferences, storeLinks, storedColumns } from './link-store.js';
import { readDraft } from './read-draft.js';
import { ResourceReader } from './resource-reader.js';
import { isId, uriOf } from './uri.js';
/** Writes any resource as its description and its rules say: one transaction, audited. */
let ResourceWriter = class ResourceWriter {
    database;
    reader;
    audit;
    constructor(database, reader, audit) {
        this.database = database;
        this.reader = reader;
        this.audit = audit;
    }
    /**
     * Creates a row from a body of POST.
     * @throws Refusal 400 naming every bad attribute, 403, 409 when it is taken
     */
    async create(change, body) {
        const { resource, rules, caller } = change;
        requireWriter(change);
        return this.run(change, async (transaction) => {
            const { values, bad } = readDraft(resource, rules, body);
            const draft = { ...change, transaction, id: undefined, before: undefined, values, bad };
            await this.check(draft, change);
            const id = await insertRow(resource, values, transaction);
            await storeLinks(resource, id, values, transaction);
            await rules.stored?.({ ...draft, id });
            const after = await this.reader.get(resource, caller, id, transaction);
            await this.record(change, transaction, 'create', id, { after: after.representation });
            return after;
        });
    }
    /**
     * Replaces a row by a body of PUT.
     * @throws Refusal 400, 403, 404, 409, 412
     */
    replace(change, id, body) {
        return this.run(change, async (transaction) => {
            const before = await this.lock(change, id, transaction);
            return this.store(change, id, before, body, transaction);
        });
    }
    /**
     * Changes a row by a JSON Patch document (RFC 6902): its detailed representation is patched, the
     * result goes the way of PUT.
     * @throws Refusal 400 naming the operation, 403, 404, 409 for a failed test, 412
     */
    patch(change, id, body) {
        const operations = parsePatch(body);
        return this.run(change, async (transaction) => {
            const before = await this.lock(change, id, transaction);
            const { secret = {} } = change.rules;
            for (const operation of operations)
                checkTarget(change, operation);
            const blanks = Object.fromEntries(Object.keys(secret).map((name) => [name, null]));
            const document = { ...before.representation, ...blanks };
            const patched = applyPatch(document, operations);
            return this.store(change, id, before, patched, transaction);
        });
    }
    /**
     * Deletes a row and what merely belongs to it.
     * @throws Refusal 403, 404, 409 saying what still refers to it, 412
     */
    async delete(change, id) {
        const { resource, rules, caller } = change;
        requireWriter(change);
        await this.run(change, async (transaction) => {
            const { representation: before } = await this.lock(change, id, transaction);
            rules.checkDelete?.(caller, before);
            await refuseWhileReferred(resource, id, transaction);
            await transaction.rows({
                text: `DELETE FROM ${resource.ref.table} WHERE id = $1`,
                values: [id],
            });
            await this.record(change, transaction, 'delete', id, { before });
        });
    }
    async store(change, id, { representation: before, revision }, body, transaction) {
        const { resource, rules, caller } = change;
        requireOwner(change, before);
        const { values, bad } = readDraft(resource, rules, body, before);
        const draft = { ...change, transaction, id, before, values, bad };
        await this.check(draft, change);
        const changed = differences(resource, rules, before, values);
        requireMayChange(change, Object.keys(changed));
        if (Object.keys(changed).length === 0)
            return { representation: before, revision };
        await updateRow(resource, id, changed, transaction);
        await storeLinks(resource, id, changed, transaction);
        await rules.stored?.({ ...draft, values: changed, id });
        const after = await this.reader.get(resource, caller, id, transaction);
        await this.record(change, transaction, 'update', id, onlyChanged(before, after.representation));
        return after;
    }
    /** Checks references and the resource's own rules; all that is wrong comes back together. */
    async check(draft, { resource, rules }) {
        if (!draft.bad.some(({ name }) => name === 'body')) {
            await checkReferences(resource, draft);
            await rules.check?.(draft);
        }
        if (draft.bad.length > 0)
            throw invalid(draft.bad);
    }
    /** Locks a row that the caller sees, so that parallel changes add up. */
    async lock({ resource, caller, ifMatch }, id, transaction) {
        if (!isId(id))
            throw notFound();
        const { bind, values } = new Bindings();
        const conditions = [
            `${LISTED}.id = ${bind(id)}`,
            ...resource.conditionsFor(caller).map((condition) => condition(bind)),
        ];
        const [row] = await transaction.rows({
            text: `SELECT ${LISTED}.revision FROM ${resource.ref.table} ${LISTED} WHERE ${conditions.join(' AND ')} FOR UPDATE`,
            values,
        });
        if (!row)
            throw notFound();
        if (ifMatch !== undefined && !matches(ifMatch, etagOf(Number(row[0]))))
            throw stale();
        return this.reader.get(resource, caller, id, transaction);
    }
    async run({ rules }, work) {
        try {
            const result = await this.database.transaction(work);
            await rules.committed?.();
            return result;
        }
        catch (error) {
            const { constraint, code } = error;
            if (typeof constraint !== 'string')
                throw error;
            const known = rules.constraints?.[constraint];
            if (known)
                throw known();
            const attribute = /_(reference|login)_key$/.exec(constraint)?.[1];
            if (code === '23505' && attribute)
                throw conflict(`The ${attribute} is taken`);
            throw error;
        }
    }
    record({ resource, origin }, transaction, action, id, states) {
        const objectUri = uriOf(resource.ref.uri, id);
        return this.audit.record(transaction, origin, { action, objectUri, ...states });
    }
};
ResourceWriter = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        ResourceReader,
        AuditService])
], ResourceWriter);
export { ResourceWriter };
const mayWrite = ({ rules, caller }) => rules.mayWrite?.(caller) ?? caller.administrator;
function requireWriter(change) {
    if (!mayWrite(change))
        throw forbidden();
}
function requireOwner(change, before) {
    if (!mayWrite(change) && !change.rules.isOwner?.(change.caller, before))
        throw forbidden();
}
/** Whoever may not write everything may write what belongs to the owner. */
function requireMayChange(change, names) {
    if (mayWrite(change))
        return;
    const { resource } = change;
    const others = names.filter((name) => resource.attributes.get(name)?.options.writableBy !== 'owner');
    if (others.length > 0)
        throw forbidden(`You may not change: ${others.join(', ')}`);
}
/** Refuses an operation on an attribute that is unknown, read-only, or secret and would be read. */
function checkTarget({ resource, rules }, operation) {
    const { op, tokens, fromTokens } = operation;
    const secret = (name) => name !== undefined && Object.hasOwn(rules.secret ?? {}, name);
    const written = op === 'test' ? [] : [tokens[0], ...(op === 'move' ? [fromTokens[0]] : [])];
    for (const name of written) {
        if (name === undefined || secret(name))
            continue;
        const attribute = resource.attributes.get(name);
        if (!attribute)
            throw badOperation(operation, `unknown attribute '${name}'`);
        if (!attribute.writable)
            throw badOperation(operation, `'${name}' is read-only`);
    }
    const isRead = op === 'test' || op === 'copy' || op === 'move' || op === 'remove';
    if (isRead && (secret(tokens[0]) || secret(fromTokens?.[0])))
        throw badOperation(operation, `'${tokens[0] ?? ''}' can only be added or replaced`);
}
async function insertRow(resource, values, { manager }) {
    const inserted = await manager
        .createQueryBuilder()
        .insert()
        .into(resource.definition.entity)
        .values(storedColumns(resource, values))
        .returning('id')
        .execute();
    return inserted.raw[0].id;
}
async function updateRow(resource, id, changed, { manager }) {
    await manager
        .createQueryBuilder()
        .update(resource.definition.entity)
        .set({
        ...storedColumns(resource, changed),
        revision: () => 'revision + 1',
        modificationDate: () => 'now()',
    })
        .where('id = :id', { id })
        .execute();
}
async function refuseWhileReferred(resource, id, transaction) {
    const referrers = await findReferrers(transaction, resource.ref.table, id);
    if (referrers.length === 0)
        return;
    const list = referrers.map(({ table, column, count }) => {
        const role = column.replace(/_id$/, '').replaceAll('_', ' ');
        return `${count} of ${table.replaceAll('_', ' ')} (as ${role})`;
    });
    throw conflict(`Still referred to by ${list.join(', ')}`);
}
/** Strong comparison (RFC 9110 section 13.1.1); `*` is any current representation. */
const matches = (ifMatch, etag) => ifMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);
function onlyChanged(before, after) {
    const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
    const pick = (from) => Object.fromEntries(names.map((name) => [name, from[name]]));
    return { before: pick(before), after: pick(after) };
}
//# sourceMappingURL=resource-writer.js.map