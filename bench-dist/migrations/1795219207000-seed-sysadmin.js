/** The one system administrator account. Its first password is set by the first start. */
export class SeedSysadmin1795219207000 {
    name = 'SeedSysadmin1795219207000';
    async up(runner) {
        await runner.query(`
      INSERT INTO users (login, last_name, title, status, administrator, sysadmin)
      VALUES ('sysadmin', 'System administrator', 'System administrator', 1, true, true)`);
    }
    async down(runner) {
        await runner.query('DELETE FROM users WHERE sysadmin');
    }
}
//# sourceMappingURL=1795219207000-seed-sysadmin.js.map