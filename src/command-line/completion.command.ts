import { Argument, type Command } from 'commander';

/** `completion bash` */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(['bash']))
    .description('print a script that completes commands and options')
    .addHelpText('after', '\nTo use it: eval "$(process-platform completion bash)"')
    .action(() => void process.stdout.write(bashCompletion(program)));
}

/** A case for each command with its subcommands or its options, the longest names first. */
function bashCompletion(program: Command): string {
  const cases = program.commands.flatMap((command) => [
    ...command.commands.map((one) => caseOf(`'${command.name()} ${one.name()}'`, optionsOf(one))),
    caseOf(
      `'${command.name()} '*`,
      command.commands.length > 0 ? namesOf(command) : optionsOf(command),
    ),
  ]);
  return `_process_platform() {
  local words= first= second=
  ((COMP_CWORD > 1)) && first=\${COMP_WORDS[1]}
  ((COMP_CWORD > 2)) && second=\${COMP_WORDS[2]}
  case "$first $second" in
${cases.join('')}${caseOf("' '", [...namesOf(program), '--help', '--version'])}  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _process_platform process-platform
`;
}

const caseOf = (pattern: string, words: string[]): string =>
  `    ${pattern}) words='${words.join(' ')}' ;;\n`;

const namesOf = (command: Command): string[] => command.commands.map((one) => one.name());

const optionsOf = (command: Command): string[] => [
  ...command.options.flatMap(({ long }) => long ?? []),
  '--help',
];
