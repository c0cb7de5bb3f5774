/** The filters of lists that show colleagues: people who work here, no technical accounts. */
export const ACTIVE_PEOPLE = ['status:eq:1', 'processEngine:eq:false', 'login:neq:sysadmin'];
