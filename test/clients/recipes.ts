import type { Recipe } from './recipe.js';

export const PYTHON = {
  needs: "python3 -c 'import ensurepip, venv'",
  kept: ['venv'],
  env: { PIP_CONSTRAINT: 'constraints.txt' },
};

function typescript(heading: string, program: string): Recipe {
  return {
    heading,
    needs: 'npm --version',
    kept: ['node_modules'],
    env: { npm_config_fetch_retries: '1', npm_config_audit: 'false', npm_config_fund: 'false', NODE_NO_WARNINGS: '1' },
    files: {
      'operations.ts': `typescript/${program}`,
      'answers.ts': 'typescript/answers.ts',
      'package-lock.json': 'typescript/package-lock.json',
      'tsconfig.json': 'typescript/strict.json',
    },
    check: 'npx tsc --project tsconfig.json',
    run: 'node operations.ts',
  };
}

const CLASSES = "'readiness/target/classes:readiness/target/lib/*'";

/** @param warnings those that the generator's own code gives rise to, and that are not looked at in it */
function java(library: string, folder: string, warnings: string): Recipe {
  return {
    heading: `Java: ${library}`,
    needs: 'javac -version && mvn --version',
    files: { 'Operations.java': 'java/Operations.java', 'Connection.java': `java/${folder}/Connection.java` },
    check: [
      'mkdir judged',
      `javac -Xlint:all -Werror -d judged -cp ${CLASSES} FirstRun.java Operations.java Connection.java`,
      `find readiness/src/main -name '*.java' > sources`,
      `javac -Xlint:all,${warnings} -Werror -d judged -cp ${CLASSES} @sources`,
    ].join('\n'),
    run: `java -cp judged:${CLASSES} Operations`,
  };
}

/** One for each section of docs/clients.md: a page that somebody reads is a page that is tried. */
export const RECIPES = {
  openapiFetch: typescript('TypeScript: openapi-fetch', 'openapi-fetch.ts'),
  heyApi: typescript('TypeScript: hey-api', 'hey-api.ts'),
  openapiPythonClient: {
    heading: 'Python: openapi-python-client',
    ...PYTHON,
    files: { 'operations.py': 'python/openapi-python-client.py', 'constraints.txt': 'python/constraints.txt' },
    check: 'venv/bin/pip install --quiet mypy && venv/bin/mypy --strict first_run.py operations.py readiness',
    run: 'venv/bin/python operations.py',
  },
  pydantic: {
    heading: 'Python: datamodel-code-generator',
    ...PYTHON,
    files: { 'operations.py': 'python/pydantic.py', 'constraints.txt': 'python/constraints.txt' },
    check: 'venv/bin/pip install --quiet mypy && venv/bin/mypy --strict first_run.py operations.py readiness.py',
    run: 'venv/bin/python operations.py',
  },
  oapiCodegen: {
    heading: 'Go: oapi-codegen',
    needs: 'go version',
    files: { 'operations/main.go': 'go/oapi-codegen.go' },
    check: 'go mod tidy && go vet ./... && test -z "$(gofmt -l main.go operations)"',
    run: 'go run ./operations',
  },
  ogen: {
    heading: 'Go: ogen',
    needs: 'go version',
    files: { 'operations/main.go': 'go/ogen.go' },
    check: 'go mod tidy && go vet ./... && test -z "$(gofmt -l main.go operations)"',
    run: 'go run ./operations',
  },
  javaNative: java('native', 'native', '-deprecation'),
  okhttp: java('okhttp-gson', 'okhttp', '-rawtypes'),
  progenitor: {
    heading: 'Rust: progenitor',
    needs: 'cargo --version',
    kept: ['target'],
    files: { 'src/bin/operations.rs': 'rust/operations.rs', 'Cargo.lock': 'rust/Cargo.lock' },
    env: { RUSTFLAGS: '-D warnings', CARGO_PROFILE_DEV_DEBUG: '0' },
    check: 'cargo build --quiet',
    run: 'cargo run --quiet --bin operations',
    impossible: 'invalid',
  },
} satisfies Record<string, Recipe>;

const GENERATED = { needs: 'java -version && mvn --version' };

/** Sections whose client is generated and no more, with the file that declares a finding, and what must stand in it. */
export const LOOKED_AT = [
  {
    ...GENERATED,
    heading: 'C#: generichost',
    file: 'readiness/src/Readiness/Model/Finding.cs',
    declarations: ['public Pillar? Pillar { get; set; }', 'public ErrorType? ErrorType { get; set; }'],
  },
  {
    ...GENERATED,
    heading: 'Kotlin: jvm-okhttp4',
    file: 'readiness/src/main/kotlin/com/example/readiness/models/Finding.kt',
    declarations: ['val pillar: Pillar?,', 'val errorType: ErrorType?,'],
  },
];
