# The headers that make up the ABI, for the scripts here: list_headers FOLDER.
abi_headers=(plugin kernels ops layer collectives)
list_headers() { printf '%s\n' "${abi_headers[@]/#/$1/switchyard/}" | sed 's/$/.h/'; }
