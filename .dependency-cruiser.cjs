/** The folders of src/, one line a floor. A folder imports only folders on lines above its own. */
const FLOORS = [
  ['base'],
  ['http'],
  ['database'],
  ['security'],
  ['journal', 'mail', 'resources'],
  ['administration', 'auth'],
  ['directory'],
  ['content', 'process'],
  ['changes', 'deliveries', 'navigation', 'roles', 'scim', 'search', 'transfer'],
  ['synchronization'],
  ['command-line', 'operations'],
];

/** The folders of src/process/, likewise. */
const PROCESS_FLOORS = [
  ['access'],
  ['applications'],
  ['absences', 'tasks'],
  ['leavers', 'mails', 'push', 'tiles'],
  ['inbox'],
];

/** The folders of src/deliveries/. */
const DELIVERY_FLOORS = [['events'], ['engines'], ['settings'], ['push'], ['endpoints'], ['pull']];

/** One rule a folder: everything but itself and the floors above is forbidden. */
const directions = (parent, floors) =>
  floors.flatMap((folders, floor) =>
    folders.map((folder) => ({
      name: `direction-of-${parent}/${folder}`,
      severity: 'error',
      from: { path: `^${parent}/${folder}/` },
      to: {
        path: `^${parent}/`,
        pathNot: `^${parent}/(${[folder, ...floors.slice(0, floor).flat()].join('|')})/`,
      },
    })),
  );

module.exports = {
  forbidden: [
    ...directions('src', FLOORS),
    ...directions('src/process', PROCESS_FLOORS),
    ...directions('src/deliveries', DELIVERY_FLOORS),
    {
      name: 'folders-are-listed',
      comment: 'A new folder has to be added to FLOORS on purpose.',
      severity: 'error',
      from: { path: `^src/(?!(${FLOORS.flat().join('|')})/)[^/]+/` },
      to: {},
    },
    {
      name: 'migrations-stand-alone',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { path: '^(src|test)/' },
    },
    {
      name: 'pages-are-apart',
      comment:
        'What the workplace and the console both need is in web/account, web/api-client, web/server-messages or web/theme.',
      severity: 'error',
      from: { path: '^web/([^/]+)/' },
      // Console and command line write and read one dialect of CSV; console and server have one list of permissions.
      to: {
        path: '^(src|migrations|test|web)/',
        pathNot:
          '^web/($1|account|api-client|server-messages|theme)/|^src/base/csv/|^src/base/rights/permissions\\.ts$',
      },
    },
    {
      name: 'account-knows-no-page',
      severity: 'error',
      from: { path: '^web/account/' },
      to: { path: '^web/', pathNot: '^web/(account|api-client)/' },
    },
    {
      name: 'theme-knows-no-api',
      severity: 'error',
      from: { path: '^web/(api-client|theme)/' },
      to: { path: '^web/', pathNot: '^web/$1/' },
    },
    { name: 'no-tests-in-src', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
    {
      name: 'presenters-are-plain',
      severity: 'error',
      from: { path: 'presenters?\\.ts$' },
      to: {
        path: 'node_modules/(@nestjs|typeorm)|\\.service\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'services-know-no-http',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: 'node_modules/express|\\.(controller|guard|filter)\\.ts$' },
    },
    {
      name: 'the-engine-knows-no-express',
      comment: 'What of the engine is HTTP stands in resources/http.',
      severity: 'error',
      from: { path: '^src/resources/', pathNot: '^src/resources/(http|openapi)/' },
      to: { path: 'node_modules/(@types/)?express' },
    },
    {
      name: 'open-telemetry-is-loaded-on-demand',
      comment: 'Without OTEL_EXPORTER_OTLP_ENDPOINT nothing of it is loaded.',
      severity: 'error',
      from: { pathNot: '^src/http/tracing/open-telemetry\\.ts$' },
      to: {
        path: '^src/http/tracing/open-telemetry\\.ts$|node_modules/@opentelemetry/',
        dependencyTypesNot: ['type-only'],
        dynamic: false,
      },
    },
    {
      name: 'commands-load-their-work-on-demand',
      comment: 'The help, and every other command, starts without the modules of the server.',
      severity: 'error',
      from: { path: '^src/(cli|command-line/(program|[a-z-]+\\.commands?))\\.ts$' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(command-line/(program|closed-output|action|files|[a-z-]+\\.commands?)|base/config/version|deliveries/(engines/endpoint-choices|events/event-kinds)|transfer/kinds)\\.ts$',
        dynamic: false,
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '^src/(main|cli|health-check)\\.ts$'] },
      to: {},
    },
    {
      name: 'packages-are-declared',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: '\\.spec\\.ts$' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
