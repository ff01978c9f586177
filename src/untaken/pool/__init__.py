"""Where work runs beside us: processes of this machine or of a cluster, for trials and for workers of one campaign."""
