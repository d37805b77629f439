import ts from 'typescript-eslint';

export default ts.config(...ts.configs.recommendedTypeChecked, { languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } });
