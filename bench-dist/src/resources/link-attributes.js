import { snakeCase } from '../database/naming-strategy.js';
import { InvalidValue } from '../listing/attribute.js';
import { OPPOSITE_OF } from '../listing/operators.js';
import { satisfies } from '../negotiation/validate-body.js';
import { Attribute, compare, } from './attribute.js';
import { presentRef } from './ref.js';
import { resourceNamed } from './resource.js';
import { folded } from './text-attribute.js';
import { idIn } from './uri.js';
const LINK_INPUT = 'a URI, an id, or an object of which uri or id is read';
/** What a body may give as a link: a URI, an id, or an object of which `uri` or `id` is read. */
export function linkIdIn(value, prefixes) {
    if (typeof value === 'string')
        return first(prefixes, (prefix) => idIn(value, prefix));
    if (typeof value !== 'object' || value === null)
        return undefined;
    const { id, uri } = value;
    const given = [id, uri].filter((part) => part !== undefined && part !== null);
    const ids = given.map((part) => typeof part === 'string' ? first(prefixes, (prefix) => idIn(part, prefix)) : undefined);
    // An id and a uri that disagree name two objects.
    return ids.length > 0 && ids.every((found) => found === ids[0]) ? ids[0] : undefined;
}
/** Whether a link is given by a URI of this kind. */
function namesKind(value, prefix) {
    const uri = typeof value === 'object' && value !== null ? value.uri : value;
    return typeof uri === 'string' && uri.startsWith(`${prefix}/`);
}
function first(items, find) {
    for (const item of items) {
        const found = find(item);
        if (found !== undefined)
            return found;
    }
    return undefined;
}
/** A link to one object of another resource, shown as its Ref; a link to nothing is null. */
export class LinkAttribute extends Attribute {
    targetName;
    type = 'link';
    constructor(targetName, options = {}) {
        super(options);
        this.targetName = targetName;
    }
    get target() {
        return resourceNamed(this.targetName);
    }
    get property() {
        return `${this.name}Id`;
    }
    get sortable() {
        return true;
    }
    columns(alias) {
        const { referenceColumn, labelColumn } = this.target.ref;
        const linked = this.alias;
        return [
            `${alias}.${snakeCase(this.property)}`,
            `${linked}.${referenceColumn}`,
            `${linked}.${labelColumn}`,
        ];
    }
    join(alias) {
        return `LEFT JOIN ${this.target.ref.table} ${this.alias} ON ${this.alias}.id = ${alias}.${snakeCase(this.property)}`;
    }
    present(row, at) {
        const id = row[at];
        return id === null || id === undefined
            ? null
            : presentRef(this.target.ref, id, row[at + 1], row[at + 2]);
    }
    display(row, at) {
        return row[at + 2] ?? null;
    }
    parseFilter(text) {
        return parseLink(text, this.target.ref.uri);
    }
    condition(alias, operator, value, bind) {
        return compare(this.expression(alias), operator, () => `${bind(value)}::bigint`);
    }
    linked(name) {
        const attribute = this.target.listAttribute(name);
        if (!attribute || attribute instanceof LinkAttribute || attribute instanceof LinksAttribute)
            return undefined;
        const { table } = this.target.ref;
        const key = snakeCase(this.property);
        return new DottedAttribute(this.name, attribute, (alias, condition) => `EXISTS (SELECT 1 FROM ${table} l WHERE l.id = ${alias}.${key} AND ${condition('l')})`);
    }
    rules() {
        return [satisfies(linkFault([this.target.ref.uri]))];
    }
    toStored(value) {
        return linkIdIn(value, [this.target.ref.uri]);
    }
    schema() {
        return { oneOf: [{ $ref: '#/components/schemas/Ref' }, { type: 'null' }] };
    }
    inputSchema() {
        return { type: ['string', 'object', 'null'], description: LINK_INPUT };
    }
    get alias() {
        return `${snakeCase(this.name)}_link`;
    }
}
/** Links to several objects, shown as Refs in the order of their labels. */
export class LinksAttribute extends Attribute {
    options;
    type = 'links';
    constructor(options) {
        super(options);
        this.options = options;
    }
    get operators() {
        return ['eq', 'neq', 'isempty', 'isnotempty'];
    }
    get sortable() {
        return false;
    }
    get targets() {
        return this.options.targets.map(resourceNamed);
    }
    /** The links in a checked value of a body; a plain id does not tell its kind. */
    idsIn(value) {
        const { targets } = this;
        const prefixes = targets.map(({ ref }) => ref.uri);
        const links = value.map((item) => {
            const id = linkIdIn(item, prefixes);
            const matching = targets.filter(({ ref }) => namesKind(item, ref.uri));
            const [only] = targets.length === 1 ? targets : matching;
            return { id, target: only?.name };
        });
        return [...new Map(links.map((link) => [link.id, link])).values()];
    }
    /**
     * One JSON array of [uri prefix, id, reference, label], so that the number of queries is fixed.
     * What the caller may not see is no link either.
     */
    columns(alias, { caller, bind }) {
        const { table, ownerColumn, targetColumns } = this.options;
        const parts = this.targets.map(({ ref, name, definition }) => {
            const seen = definition.visible?.(caller, 'l', bind) ?? 'true';
            return (`SELECT '${ref.uri}' AS uri, l.id, l.${ref.referenceColumn} AS reference, l.${ref.labelColumn} AS label FROM ${table} j ` +
                `JOIN ${ref.table} l ON l.id = j.${targetColumns[name]} WHERE j.${ownerColumn} = ${alias}.id AND ${seen}`);
        });
        return [
            `(SELECT json_agg(json_build_array(r.uri, r.id::text, r.reference, r.label) ORDER BY ${folded('r.label')}, r.id) FROM (${parts.join(' UNION ALL ')}) r)`,
        ];
    }
    present(row, at) {
        const links = (row[at] ?? []);
        return links.map(([uri, id, reference, label]) => presentRef({ uri }, id, reference, label));
    }
    display(row, at) {
        return this.present(row, at)
            .map(({ label }) => label)
            .join(', ');
    }
    parseFilter(text) {
        const prefixes = this.targets.map(({ ref }) => ref.uri);
        const found = first(prefixes, (prefix) => idIn(text, prefix));
        if (found === undefined)
            throw new InvalidValue(linkRule(prefixes));
        return { id: found, uri: prefixes.find((prefix) => text.startsWith(`${prefix}/`)) };
    }
    condition(alias, operator, value, bind) {
        const { table, ownerColumn, idColumn, targetColumns } = this.options;
        const positive = OPPOSITE_OF[operator];
        const { id, uri } = (value ?? {});
        // A URI names the kind too: /directory/groups/7 is not the user 7.
        const target = this.targets.find(({ ref }) => ref.uri === uri);
        const column = target ? targetColumns[target.name] : idColumn;
        const match = id === undefined ? '' : `AND j.${column} = ${bind(id)}::bigint`;
        const exists = `EXISTS (SELECT 1 FROM ${table} j WHERE j.${ownerColumn} = ${alias}.id ${match})`;
        return positive ? `NOT ${exists}` : exists;
    }
    linked(name) {
        const [target, ...others] = this.targets;
        const attribute = others.length === 0 ? target?.listAttribute(name) : undefined;
        if (!target || !attribute || attribute.type === 'link' || attribute.type === 'links')
            return undefined;
        const { table, ownerColumn, targetColumns } = this.options;
        return new DottedAttribute(this.name, attribute, (alias, condition) => `EXISTS (SELECT 1 FROM ${table} j JOIN ${target.ref.table} l ON l.id = j.${targetColumns[target.name]} WHERE j.${ownerColumn} = ${alias}.id AND ${condition('l')})`);
    }
    rules() {
        const fault = linkFault(this.targets.map(({ ref }) => ref.uri));
        return [
            satisfies((value) => {
                if (!Array.isArray(value))
                    return 'must be an array of links';
                return value.map(fault).find((message) => message !== undefined);
            }),
        ];
    }
    schema() {
        return { type: 'array', items: { $ref: '#/components/schemas/Ref' } };
    }
    inputSchema() {
        const items = { type: ['string', 'object'], description: LINK_INPUT };
        return { type: ['array', 'null'], items };
    }
}
/** `organization.label`: an attribute of a linked object, for filters only. */
class DottedAttribute {
    attribute;
    exists;
    name;
    sortable = false;
    operators;
    constructor(link, attribute, exists) {
        this.attribute = attribute;
        this.exists = exists;
        this.name = `${link}.${attribute.name}`;
        this.operators = attribute.operators;
    }
    parseFilter(text, operator) {
        return this.attribute.parseFilter(text, operator);
    }
    /** What includes empty values also holds where nothing is linked. */
    condition(alias, operator, value, bind) {
        const positive = OPPOSITE_OF[operator];
        const exists = this.exists(alias, (linked) => this.attribute.condition(linked, positive ?? operator, value, bind));
        return positive ? `NOT ${exists}` : exists;
    }
    order() {
        throw new Error(`${this.name} cannot be sorted by`);
    }
}
function parseLink(text, prefix) {
    const id = idIn(text, prefix);
    if (id === undefined)
        throw new InvalidValue(linkRule([prefix]));
    return id;
}
const linkRule = (prefixes) => `expected an id or a URI such as ${prefixes.map((prefix) => `${prefix}/1`).join(' or ')}`;
const linkFault = (prefixes) => (value) => linkIdIn(value, prefixes) === undefined ? `must be a link: ${linkRule(prefixes)}` : undefined;
//# sourceMappingURL=link-attributes.js.map