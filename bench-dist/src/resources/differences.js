import { LinkAttribute, LinksAttribute } from './link-attributes.js';
import { TimestampAttribute } from './scalar-attributes.js';
/** The values that differ from a representation; a change of nothing writes nothing. */
export function differences(resource, rules, before, values) {
    return Object.fromEntries(Object.entries(values).filter(([name, value]) => {
        if (Object.hasOwn(rules.secret ?? {}, name))
            return value !== null;
        const attribute = resource.attributes.get(name);
        return comparable(attribute, value) !== comparable(attribute, before[name]);
    }));
}
/** One text for all ways of writing the same value. */
function comparable(attribute, value) {
    if (value === null || value === undefined)
        return attribute instanceof LinksAttribute ? '[]' : 'null';
    if (attribute instanceof LinksAttribute)
        return JSON.stringify(attribute
            .idsIn(value)
            .map(({ id }) => id)
            .sort());
    if (attribute instanceof LinkAttribute)
        return String(attribute.toStored(value));
    if (attribute instanceof TimestampAttribute)
        return new Date(value).toISOString();
    return JSON.stringify(value);
}
//# sourceMappingURL=differences.js.map