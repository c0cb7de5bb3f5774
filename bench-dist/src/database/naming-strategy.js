import { DefaultNamingStrategy } from 'typeorm';
/** `lastName` to `last_name`, `helpLinkJS` to `help_link_js`. */
export const snakeCase = (name) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
/** Columns in snake case, and constraints named as PostgreSQL itself names them. */
export class NamingStrategy extends DefaultNamingStrategy {
    columnName(property, custom, prefixes) {
        return snakeCase([...prefixes, custom || property].join('_'));
    }
    primaryKeyName(table) {
        return `${this.getTableName(table)}_pkey`;
    }
    uniqueConstraintName(table, columns) {
        return `${this.getTableName(table)}_${columns.join('_')}_key`;
    }
    foreignKeyName(table, columns) {
        return `${this.getTableName(table)}_${columns.join('_')}_fkey`;
    }
}
//# sourceMappingURL=naming-strategy.js.map