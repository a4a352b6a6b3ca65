"""TODO-MAP"""
