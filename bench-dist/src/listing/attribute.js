/** The bound values of one statement: values never become part of its text. */
export class Bindings {
    values = [];
    bind = (value) => `$${this.values.push(value)}`;
}
/** A value that an attribute cannot have; `message` says what it must be. */
export class InvalidValue extends Error {
}
//# sourceMappingURL=attribute.js.map