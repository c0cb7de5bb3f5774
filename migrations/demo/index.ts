import type { MigrationInterface } from "typeorm";
export const demoMigrations: (new () => MigrationInterface)[] = [];
