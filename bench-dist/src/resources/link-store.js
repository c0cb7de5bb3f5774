import { LinkAttribute, LinksAttribute } from './link-attributes.js';
/** The entity's properties for checked values; several links live in tables of their own. */
export function storedColumns(resource, values) {
    const columns = {};
    for (const [name, value] of Object.entries(values)) {
        const attribute = resource.attributes.get(name);
        if (!attribute || attribute instanceof LinksAttribute)
            continue;
        columns[attribute.property] = value === null ? null : attribute.toStored(value);
    }
    return columns;
}
/** Makes the tables of several links say what the values say. */
export async function storeLinks(resource, id, values, transaction) {
    for (const [name, value] of Object.entries(values)) {
        const attribute = resource.attributes.get(name);
        if (!(attribute instanceof LinksAttribute))
            continue;
        const { table, ownerColumn, targetColumns, idColumn } = attribute.options;
        const wanted = value === null ? [] : attribute.idsIn(value);
        await transaction.rows({
            text: `DELETE FROM ${table} WHERE ${ownerColumn} = $1 AND NOT (${idColumn} = ANY ($2::bigint[]))`,
            values: [id, wanted.map((link) => link.id)],
        });
        for (const target of attribute.targets) {
            const ids = wanted.filter((link) => link.target === target.name).map((link) => link.id);
            if (ids.length === 0)
                continue;
            await transaction.rows({
                text: `INSERT INTO ${table} (${ownerColumn}, ${targetColumns[target.name]})
          SELECT $1, wanted FROM unnest($2::bigint[]) wanted
          WHERE NOT EXISTS (SELECT 1 FROM ${table} j WHERE j.${ownerColumn} = $1 AND j.${idColumn} = wanted)`,
                values: [id, ids],
            });
        }
    }
}
/** Every linked object has to exist; an unknown one is named with its attribute. */
export async function checkReferences(resource, draft) {
    for (const [name, value] of Object.entries(draft.values)) {
        const attribute = resource.attributes.get(name);
        const isFaulty = draft.bad.some((field) => field.name === name);
        if (value === null || isFaulty)
            continue;
        if (attribute instanceof LinkAttribute) {
            const id = attribute.toStored(value);
            const known = await existing(attribute.target, [id], draft.transaction);
            if (!known.has(id))
                draft.bad.push({ name, message: `there is no ${attribute.target.ref.uri}/${id}` });
        }
        if (attribute instanceof LinksAttribute)
            await checkLinks(name, attribute, value, draft);
    }
}
/** A plain id among several kinds is the kind that has it; the draft is told the kind. */
async function checkLinks(name, attribute, value, draft) {
    const links = attribute.idsIn(value);
    const unresolved = new Set(links);
    for (const target of attribute.targets) {
        const candidates = links.filter((link) => link.target === undefined || link.target === target.name);
        const known = await existing(target, candidates.map(({ id }) => id), draft.transaction);
        for (const link of candidates)
            if (known.has(link.id)) {
                link.target = target.name;
                unresolved.delete(link);
            }
    }
    for (const { id } of unresolved)
        draft.bad.push({ name, message: `there is no object with the id ${id}` });
    const uris = links.map(({ id, target }) => `${attribute.targets.find((one) => one.name === target)?.ref.uri}/${id}`);
    draft.values[name] = [...new Set(uris)];
}
async function existing(target, ids, transaction) {
    if (ids.length === 0)
        return new Set();
    const rows = await transaction.rows({
        text: `SELECT id FROM ${target.ref.table} WHERE id = ANY ($1::bigint[])`,
        values: [ids],
    });
    return new Set(rows.map(([id]) => String(id)));
}
//# sourceMappingURL=link-store.js.map