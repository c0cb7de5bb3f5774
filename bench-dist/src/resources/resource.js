import { LISTED } from '../listing/list-query.js';
import { IdAttribute, UriAttribute } from './identity-attributes.js';
const registry = new Map();
/** The resource of a name; links are resolved when they are used, so that resources can be mutual. */
export function resourceNamed(name) {
    const found = registry.get(name);
    if (!found)
        throw new Error(`no resource is named ${name}`);
    return found;
}
export const allResources = () => [...registry.values()];
/** A resource described once: listing, validation, /attributes and the API description read it. */
export class Resource {
    definition;
    name;
    ref;
    attributes;
    constructor(definition) {
        this.definition = definition;
        const { name, uri, labelColumn, referenceColumn = 'reference' } = definition;
        this.name = name;
        this.ref = { uri, table: definition.table ?? name, labelColumn, referenceColumn };
        const all = {
            ...(definition.withoutId ? {} : { id: new IdAttribute(uri) }),
            ...(definition.withoutUri ? {} : { uri: new UriAttribute(uri) }),
            ...definition.attributes,
        };
        this.attributes = new Map(Object.entries(all));
        for (const [key, attribute] of this.attributes)
            attribute.name = key;
    }
    /** An attribute that lists can be filtered or sorted by, for callers who may see it. */
    listAttribute(name, maySeeConfidential = false) {
        const attribute = this.attributes.get(name);
        if (!attribute || attribute.options.detailedOnly || attribute.operators.length === 0)
            return undefined;
        return attribute.options.confidential && !maySeeConfidential ? undefined : attribute;
    }
    /** What a caller may list by. */
    listableBy({ administrator }) {
        const find = (name) => this.listAttribute(name, administrator);
        return {
            attribute: find,
            names: (purpose) => [...this.attributes.keys()].filter((name) => {
                const attribute = find(name);
                return attribute !== undefined && (purpose === 'filters' || attribute.sortable);
            }),
        };
    }
    /** Where its lists come from, for a caller. */
    source(caller, bind, size = 'list') {
        const shown = this.shape(size);
        return {
            table: `${this.ref.table} ${LISTED}`,
            joins: shown.map((attribute) => attribute.join(LISTED)).join(' '),
            columns: shown.flatMap((attribute) => attribute.columns(LISTED, { bind, caller })),
            key: `${LISTED}.id`,
            conditions: this.conditionsFor(caller),
        };
    }
    /** The conditions under which a caller sees a row. */
    conditionsFor(caller) {
        const { visible } = this.definition;
        return visible ? [(bind) => visible(caller, LISTED, bind) ?? 'true'] : [];
    }
    /** Names every attribute that leaves, in the order of the definition. */
    present(row, size, mode, context) {
        const shown = {};
        const { administrator } = context.caller;
        const maySee = administrator || String(row[0]) === context.caller.id;
        let at = 0;
        for (const { attribute, width } of this.layout(size)) {
            const { confidential, administratorOnly } = attribute.options;
            if ((confidential && !maySee) || (administratorOnly && !administrator))
                shown[attribute.name] = null;
            else
                shown[attribute.name] =
                    mode === 'machine'
                        ? attribute.present(row, at, context)
                        : attribute.display(row, at, context);
            at += width;
        }
        return shown;
    }
    layouts = new Map();
    layout(size) {
        let layout = this.layouts.get(size);
        if (!layout) {
            const context = { bind: () => '', caller: {} };
            layout = this.shape(size).map((attribute) => ({
                attribute,
                width: attribute.columns(LISTED, context).length,
            }));
            this.layouts.set(size, layout);
        }
        return layout;
    }
    shape(size) {
        const all = [...this.attributes.values()];
        return size === 'detailed' ? all : all.filter(({ options }) => !options.detailedOnly);
    }
}
/** Describes a resource and makes it known to links. */
export function resource(definition) {
    const made = new Resource(definition);
    registry.set(made.name, made);
    return made;
}
//# sourceMappingURL=resource.js.map