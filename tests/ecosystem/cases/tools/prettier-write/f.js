let broken = (
