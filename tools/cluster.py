"""One function over many items on the workers of a Dask cluster: what `tools.parallel` does, on many machines."""
