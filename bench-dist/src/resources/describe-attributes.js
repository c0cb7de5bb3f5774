/** What the list parser and the validation know of a resource, for the caller who asks. */
export function describeAttributes(resource, caller) {
    const listable = resource.listableBy(caller);
    return [...resource.attributes.values()].map((attribute) => {
        const listed = listable.attribute(attribute.name);
        return {
            name: attribute.name,
            type: attribute.type,
            sortable: listed?.sortable ?? false,
            operators: listed?.operators ?? [],
            writable: attribute.writable,
            required: attribute.options.required ?? false,
            maxLength: attribute.maxLength,
        };
    });
}
//# sourceMappingURL=describe-attributes.js.map