console.log(process.argv.slice(2), process.env.npm_lifecycle_event, process.env.npm_package_version, process.env.NODE_OPTIONS);
