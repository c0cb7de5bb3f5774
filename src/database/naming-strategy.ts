import { DefaultNamingStrategy, type Table } from 'typeorm';

/** `lastName` to `last_name`, `helpLinkJS` to `help_link_js`. */
export const snakeCase = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** Columns in snake case, and constraints named as PostgreSQL itself names them. */
export class NamingStrategy extends DefaultNamingStrategy {
  override columnName(property: string, custom: string, prefixes: string[]): string {
    return snakeCase([...prefixes, custom || property].join('_'));
  }

  /** `organizationId` of a relation is the column of the property `organizationId`. */
  override joinColumnName(relation: string, referencedColumn: string): string {
    return snakeCase(`${relation}_${referencedColumn}`);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_key`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_fkey`;
  }
}
