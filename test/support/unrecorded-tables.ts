/** The tables of audiences, which triggers copy to their owners: the journal has a change of the owner. */
const COPIED_TABLES = [
  'application_audiences',
  'customer_audiences',
  'document_audiences',
  'faq_audiences',
  'news_audiences',
];

/** Tables, and a view, whose changes the journal does not record. Of these, answers from memory show parameters alone. */
const HIDDEN_TABLES = [
  'address_attempts',
  'api_keys',
  'applied_functions',
  'audit',
  'audit_streams',
  'browser_sessions',
  'change_parts',
  'changes',
  'deliveries',
  'demo_migrations',
  'dispatching',
  'endpoint_applications',
  'endpoint_health',
  'endpoint_secrets',
  'endpoints',
  'feed_secrets',
  'idempotency_keys',
  'identities',
  'directory_people',
  'invitations',
  'known_addresses',
  'mail_secrets',
  'mail_settings',
  'mails',
  'migrations',
  'parameters', // announced by a notification
  'password_history',
  'password_resets',
  'passkey_secrets',
  'passwords',
  'missing_people',
  'provider_logouts',
  'provider_runs',
  'provider_secrets',
  // Only administrators see them, without a counter.
  'provider_requests',
  'providers',
  'recovery_codes',
  // Each change of the rights of a user changes the user.
  'role_assignments',
  'roles',
  'second_step_resets',
  'second_steps',
  'seeds',
  'sessions', // a view of tokens
  'sign_ins',
  'source_applications',
  'task_changes',
  // A comment changes neither the task nor what navigation answers.
  'task_comments',
  // Each change of a file changes its task.
  'task_file_bytes',
  'task_file_pieces',
  'task_file_senders',
  'task_files',
  'task_mail_rounds',
  'task_reminders',
  'task_unknown_names',
  'tokens',
  'unproven_emails',
  'used_challenges',
];

/** All tables and views without a row in the journal for each change (docs/decisions/0032). */
export const UNRECORDED_TABLES = [...COPIED_TABLES, ...HIDDEN_TABLES].sort();
